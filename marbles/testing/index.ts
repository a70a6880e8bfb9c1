export {
  type MarbleKit,
  marbles,
  marblesWith,
  type RegisterTest,
  runMarbles,
  type TurnExpectation,
} from './marbles.js';
export { isMarbleTool, type MarbleTool, type MarbleToolOptions, marbleTool } from './marbleTool.js';
export * from './operatorKit.js';
export {
  type ModelCall,
  type ModelMessage,
  runVirtualTurn,
  type VirtualOptions,
  type VirtualTools,
} from './virtualTurn.js';
export type { VirtualRun } from './watchedTurn.js';
