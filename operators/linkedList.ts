/** What stands in a list and knows its neighbours. Internal. */
export interface Linked<N> {
  before: N | undefined;
  after: N | undefined;
}

/**
 * A set in the order its members came, linked through the members themselves. Internal.
 *
 * Each call of a turn enters and leaves several sets: a hash table costs ten times what two links do.
 */
export class LinkedList<N extends Linked<N>> implements Iterable<N> {
  #last: N | undefined;
  first: N | undefined;
  size = 0;

  /** Only what stands in no list. */
  add(member: N): void {
    const last = this.#last;
    member.before = last;
    member.after = undefined;
    if (last === undefined) this.first = member;
    else last.after = member;
    this.#last = member;
    this.size++;
  }

  /** Does nothing for what is not in it. */
  delete(member: N): void {
    const { before, after } = member;
    if (before === undefined && this.first !== member) return;
    if (before === undefined) this.first = after;
    else before.after = after;
    if (after === undefined) this.#last = before;
    else after.before = before;
    member.before = undefined;
    member.after = undefined;
    this.size--;
  }

  /** Walk a copy where members may leave meanwhile. */
  *[Symbol.iterator](): Iterator<N> {
    for (let member = this.first; member !== undefined; member = member.after) yield member;
  }
}
