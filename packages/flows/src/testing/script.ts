// Parses files of conversation scripts: YAML, with the line of each step. conversation-script.ts has
// the form.
import { LineCounter, parseAllDocuments, type YAMLMap, type YAMLSeq } from 'yaml'
import {
  type ConversationScript,
  isObject,
  ScriptError,
  toScript,
} from './conversation-script.ts'

/** Parses the scripts of a file, which `---` separates. Throws ScriptError. */
export function parseScripts(text: string, file: string): ConversationScript[] {
  const lines = new LineCounter()
  const documents = parseAllDocuments(text, {
    lineCounter: lines,
    maxAliasCount: 100,
  } as object)
  const toLine = (node: { range?: readonly number[] | null } | null | undefined) =>
    node?.range ? lines.linePos(node.range[0]!).line : 1
  if (documents.length === 0) throw new ScriptError(1, 'the file contains no script')
  return documents.map((document, index) => {
    const [error] = document.errors
    if (error)
      throw new ScriptError(
        error.linePos?.[0].line ?? 1,
        error.message.split('\n', 1)[0]!,
      )
    const line = toLine(document.contents)
    const given = document.toJS() as unknown
    if (!isObject(given))
      throw new ScriptError(
        line,
        'a script must be a mapping with `steps`, and a file of checks one with `knowledgeChecks`',
      )
    const steps = (document.contents as YAMLMap).get('steps') as YAMLSeq | undefined
    return toScript(given, {
      line,
      stepLine: (step) => toLine(steps?.items[step] as YAMLMap),
      name: `${file}${documents.length > 1 ? ` ${index + 1}` : ''}`,
    })
  })
}
