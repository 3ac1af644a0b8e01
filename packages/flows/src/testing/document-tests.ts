// The tests of a document: conversation scripts by name. Instead of lines, they have the numbers of
// their steps, from 1; 0 is the script itself.
import type { FlowDocument } from '../document/document.ts'
import { escapePointer } from '../document/pointer.ts'
import type { Problem } from '../document/problems.ts'
import { type ConversationScript, ScriptError, toScript } from './conversation-script.ts'

type Tests = Pick<FlowDocument, 'tests'>

/**
 * Returns the scripts in the order of the document. Throws ScriptError; a checked document has
 * none.
 */
export const toScripts = ({ tests = {} }: Tests): ConversationScript[] =>
  Object.entries(tests).map(([name, test]) => toOne(name, test))

const toOne = (name: string, test: object) =>
  toScript({ ...test, name }, { name, line: 0, stepLine: (step) => step + 1 })

/** Finds the first problem of each test. */
export const checkTests = ({ tests = {} }: Tests): Problem[] =>
  Object.entries(tests).flatMap(([name, test]) => {
    try {
      toOne(name, test)
      return []
    } catch (error) {
      if (!(error instanceof ScriptError)) throw error
      const step = error.line === 0 ? '' : `/steps/${error.line - 1}`
      return [{ pointer: `/tests/${escapePointer(name)}${step}`, message: error.reason }]
    }
  })
