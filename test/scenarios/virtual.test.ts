import { describe, it } from 'vitest';
import { marblesWith } from '../../marbles/testing/index.js';
import { scenarios } from './table.js';

const marbles = marblesWith(it);

describe('scenarios in virtual time', () => {
  for (const { name, model: text, calls, tools, options, rows } of scenarios) {
    marbles(name, ({ model, expectTurn }) => expectTurn(model(text, calls), tools, options).toBe(rows));
  }
});
