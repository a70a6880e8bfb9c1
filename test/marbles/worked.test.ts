import { it } from 'vitest';
import { marblesWith } from '../../marbles/testing/marbles.js';

const marbles = marblesWith(it);

marbles('a write waits for the reads before it, and holds those after it', ({ model, tool, expectTurn }) => {
  const tools = { read: tool.safe('---|'), write: tool.unsafe('-|') };
  expectTurn(model('ab-cd|', { a: 'read', b: 'read', c: 'write', d: 'read' }), tools).toBe(`
    a ^--|
    b  ^--|
    c    .^|
    d     .^--|
    
    results ---abc--d
  `);
});
