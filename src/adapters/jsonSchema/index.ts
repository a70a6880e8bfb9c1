export type { AjvError } from './ajvErrors.js';
export { type AjvCheck, type AjvInstance, ajvValidator } from './ajvValidator.js';
export {
  type JsonSchemaCheck,
  JsonSchemaError,
  type JsonSchemaOptions,
  type JsonSchemaValidator,
  jsonSchema,
} from './jsonSchema.js';
