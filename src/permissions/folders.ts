/** Whether a path starts at a root: `/…`, or a drive of Windows. */
export const isAbsolute = (path: string): boolean => /^(\/|[A-Za-z]:[\\/])/.test(path);

/** The segments of an absolute path; backslashes part them only behind a drive. */
export const segmentsOf = (path: string): readonly string[] =>
  (/^[A-Za-z]:\\/.test(path) ? path.replaceAll('\\', '/') : path)
    .split('/')
    .filter((segment) => segment !== '');

/** Whether a path is a folder or lies below it: by segment, so that `/a/bc` is not below `/a/b`. */
export const isBelow = (path: string, folder: string): boolean => {
  const segments = segmentsOf(path);
  return segmentsOf(folder).every((segment, at) => segment === segments[at]);
};
