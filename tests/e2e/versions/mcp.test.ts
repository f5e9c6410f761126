import { mcpServer } from '../cases/mcp.ts';

mcpServer('claudeWithoutMods');
