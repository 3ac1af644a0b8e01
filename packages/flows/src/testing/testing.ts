// The second entry of the package: what `botstead test` needs. With it comes the engine, which a server has no use for.
export { compileScripts } from '../scripts.ts'
export { type FileResults, junitReport, textReport } from './report.ts'
export { runScript, type ScriptResult } from './runner.ts'
export { type ConversationScript, parseScripts, ScriptError } from './script.ts'
