const trap = (): never => {
  throw new Error('a trap');
};

const circular = (): unknown => {
  const value: Record<string, unknown> = { type: 'text', text: 'x' };
  value.self = value;
  return value;
};

const throwsItself = (): unknown => {
  const value = {};
  const get = () => {
    throw value;
  };
  return Object.defineProperty(value, 'type', { enumerable: true, get });
};

const revoked = (target: object): unknown => {
  const { proxy, revoke } = Proxy.revocable(target, {});
  revoke();
  return proxy;
};

const deep = (): unknown => {
  let value: unknown = 'x';
  for (let n = 0; n < 100_000; n += 1) value = [value];
  return value;
};

/** Every other read says something else. */
const fickle = (): unknown => {
  let reads = 0;
  return Object.defineProperty({ type: 'text' }, 'text', {
    enumerable: true,
    get: () => (reads++ % 2 === 0 ? 'x' : 10n),
  });
};

const allTraps: ProxyHandler<object> = {
  get: trap,
  has: trap,
  ownKeys: trap,
  getPrototypeOf: trap,
  getOwnPropertyDescriptor: trap,
};

const text = (value: unknown): unknown => ({ type: 'text', text: value });
const image = (data: unknown, media_type: unknown = 'image/png', type: unknown = 'base64'): unknown => ({
  type: 'image',
  source: { type, media_type, data },
});

/** What some tool will give one day: each made anew, by what it is. */
export const monsters: Readonly<Record<string, () => unknown>> = {
  'a BigInt': () => 10n,
  'a symbol': () => Symbol('s'),
  'a function': () => trap,
  'half a character': () => 'x\ud83dy',
  'half a character as a key': () => ({ '\ud83d': '\udc4b' }),
  'not a number': () => Number.NaN,
  'a Date': () => new Date(0),
  'a Date that is none': () => new Date(Number.NaN),
  'a Map with itself': () => {
    const map = new Map<unknown, unknown>();
    return map.set(map, map);
  },
  'a Set': () => new Set([1n, '\ud83d']),
  'a WeakMap': () => new WeakMap(),
  'a typed array': () => new Float64Array(2),
  'a Buffer': () => Buffer.from('abc'),
  'a boxed text': () => new String('x'),
  'a list with holes': () => Object.assign(new Array(4), { 1: 1, 3: 2 }),
  'a long list of holes': () => new Array(1000),
  'a list that says it is none': () => Object.assign([1], { toJSON: () => 7 }),
  'a list that says nothing': () => Object.assign([1], { toJSON: () => undefined }),
  'a getter that throws': () => Object.defineProperty({}, 'type', { enumerable: true, get: trap }),
  'a getter that throws what it is in': throwsItself,
  'a getter that throws nothing': () => ({
    get type() {
      throw undefined;
    },
  }),
  'a toJSON that throws': () => ({ toJSON: trap }),
  'a toJSON that gives nothing': () => ({ type: 'text', text: 'x', toJSON: () => undefined }),
  'a toJSON that gives a BigInt': () => ({ toJSON: () => 1n }),
  'a toJSON that is none': () => ({ toJSON: 7 }),
  'no prototype, and a toJSON that gives nothing': () =>
    Object.assign(Object.create(null), { toJSON: () => undefined }),
  'a toString that throws': () => ({ toString: trap, toJSON: () => undefined }),
  'an error whose message is one': () => Object.assign(new Error('x'), { message: new Error('y') }),
  'a proxy that refuses everything': () => new Proxy({}, allTraps),
  'a proxy of a list that refuses everything': () => new Proxy([], allTraps),
  'a revoked proxy': () => revoked({}),
  'a revoked proxy of a list': () => revoked([]),
  'nesting without end': deep,
  'what contains itself': circular,
  'a block that changes while it is read': fickle,
  'a text of a BigInt': () => text(1n),
  'a text of blanks': () => text(' \n\t'),
  'a text of a number': () => text(7),
  'a text of a boxed text': () => text(new String('x')),
  'a text with half a character': () => text('\ud83d'),
  'a text with a cyclic member': () => Object.assign(text('x') as object, { cache_control: circular() }),
  'a text with a member of half a character': () => ({
    type: 'text',
    text: 'x',
    '\ud800': 1,
    title: '\ud800',
  }),
  'a text with a cache_control that is none': () => ({ type: 'text', text: 'x', cache_control: 'yes' }),
  'a text that inherits its type': () => Object.create({ type: 'text', text: 'x' }),
  'an empty type': () => ({ type: '' }),
  'a type that is no text': () => ({ type: 7, text: 'x' }),
  'a type of every object': () => ({ type: 'toString', text: 'x' }),
  'a type of every prototype': () => ({ type: '__proto__', text: 'x' }),
  'a kind that is not known': () => ({ type: 'new_kind', text: 'x' }),
  'a call': () => ({ type: 'tool_use', id: 'a', name: 'b', input: {} }),
  'a result': () => ({ type: 'tool_result', tool_use_id: 'a', content: 'x' }),
  'a thought': () => ({ type: 'thinking', thinking: 'x', signature: 'y' }),
  'an image': () => image('AAAA'),
  'an image without data': () => image(''),
  'an image of half a character': () => image('AAA\ud83d'),
  'an image of bytes': () => image(new Uint8Array(4)),
  'an image in lines': () => image('AAAA\nAAAA'),
  'an image that is cut': () => image('AAAAA'),
  'an image of base64url': () => image('-_-_'),
  'an image of an odd kind': () => image('AAAA', 'image/\ud83d'),
  'an image of no kind': () => image('AAAA', 7),
  'an image of a source that is none': () => image('AAAA', 'image/png', 'carrier pigeon'),
  'an image without a source': () => ({ type: 'image' }),
  'an image of nowhere': () => ({ type: 'image', source: { type: 'url', url: '' } }),
  'a PDF': () => ({
    type: 'document',
    source: { type: 'base64', media_type: 'application/pdf', data: 'AAAA' },
    title: null,
    citations: { enabled: true },
  }),
  'a document of blocks': () => ({
    type: 'document',
    source: { type: 'content', content: [text('x'), text(''), image('AAAA', 'image/tiff')] },
  }),
  'a document of calls': () => ({
    type: 'document',
    source: { type: 'content', content: [{ type: 'tool_use' }] },
  }),
  'a document of nothing': () => ({ type: 'document', source: { type: 'content', content: [text(' ')] } }),
  'a search result': () => ({ type: 'search_result', source: 's', title: 't', content: [text('x')] }),
  'a search result that found nothing': () => ({
    type: 'search_result',
    source: 's',
    title: 't',
    content: [],
  }),
  'a tool reference': () => ({ type: 'tool_reference', tool_name: 'read' }),
  'a tool reference to none': () => ({ type: 'tool_reference', tool_name: '' }),
  'a promise': () => Promise.resolve('x'),
};
