import { readFileSync } from 'node:fs';

/** Whether one of these settings files, which have been read and checked, says that there is no bypass. */
export const isBypassDisabled = (files: readonly string[]): boolean =>
  files.some((path) => {
    const text = readFileSync(path, 'utf8').replace(/^\uFEFF/, '');
    const { permissions } = JSON.parse(text) as { readonly permissions?: Readonly<Record<string, unknown>> };
    return permissions?.disableBypassPermissionsMode !== undefined;
  });
