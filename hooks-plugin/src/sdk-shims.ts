/**
 * What the MCP SDK takes from the platform, put in the place of its own file by the build: that one
 * brings a validator of JSON Schema as large as half of the SDK, which the server never uses
 * (`mcp.ts` names its own).
 */
import process from 'node:process';

export { process };

export class DefaultJsonSchemaValidator {
  getValidator(): never {
    throw new Error('the server checks arguments itself');
  }
}
