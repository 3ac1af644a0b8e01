// Entry for `botstead test`. It loads the engine, which servers do not need.
export { compileScripts } from '../document/scripts.ts'
export { type ConversationScript, ScriptError } from './conversation-script.ts'
export { toScripts } from './document-tests.ts'
export { type FileResults, junitReport, textReport } from './report.ts'
export { runScript, type ScriptResult } from './runner.ts'
export { parseScripts } from './script.ts'
