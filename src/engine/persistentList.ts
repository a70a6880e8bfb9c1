const bits = 4;
const width = 1 << bits;
const mask = width - 1;

type Node<T> = readonly (T | Node<T>)[];

/**
 * An immutable list as a tree of small nodes: a change copies one node a level, the rest is shared.
 *
 * Snapshots of 20,000 calls, one for every event, would cost as many copies of the whole otherwise.
 */
export class PersistentList<T> implements Iterable<T> {
  static empty<T>(): PersistentList<T> {
    return new PersistentList<T>(0, bits, []);
  }

  private constructor(
    readonly size: number,
    private readonly shift: number,
    private readonly root: Node<T>,
  ) {}

  get(index: number): T | undefined {
    if (index < 0 || index >= this.size) return undefined;
    let node = this.root;
    for (let shift = this.shift; shift > 0; shift -= bits) node = node[(index >> shift) & mask] as Node<T>;
    return node[index & mask] as T;
  }

  push(value: T): PersistentList<T> {
    // The tree is full: it becomes the first child of a new root.
    const full = this.size === 1 << (this.shift + bits);
    const shift = full ? this.shift + bits : this.shift;
    const root = full ? [this.root] : this.root;
    return new PersistentList(this.size + 1, shift, assign(root, shift, this.size, value));
  }

  set(index: number, value: T): PersistentList<T> {
    return new PersistentList(this.size, this.shift, assign(this.root, this.shift, index, value));
  }

  *[Symbol.iterator](): Iterator<T> {
    for (let index = 0; index < this.size; index++) yield this.get(index) as T;
  }
}

const assign = <T>(node: Node<T>, shift: number, index: number, value: T): Node<T> => {
  const copy = node.slice();
  const at = (index >> shift) & mask;
  copy[at] =
    shift === 0 ? value : assign((copy[at] as Node<T> | undefined) ?? [], shift - bits, index, value);
  return copy;
};
