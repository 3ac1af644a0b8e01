// Entry for `botstead test`. It loads the engine, which servers do not need.
export { compileScripts } from '../document/scripts.ts'
export { type FileResults, junitReport, textReport } from './report.ts'
export { runScript, type ScriptResult } from './runner.ts'
export { type ConversationScript, parseScripts, ScriptError } from './script.ts'
