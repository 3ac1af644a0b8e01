// Warns of texts in which the end of an expression is missing: users would see them as written.
import { CodeError } from '../code/code-error.ts'
import { hasOpenBraces } from '../code/template.ts'
import type { FlowDocument } from '../document/document.ts'
import type { Problem } from '../document/problems.ts'
import { findInFlows, once } from './known-parts.ts'
import { textsIn } from './variable-names.ts'

/** Not texts: braces have another meaning in code and patterns. */
const notText = /\/(?:code|pattern|when|validate)$/

export const checkBraces = ({ flows }: FlowDocument): Problem[] =>
  findInFlows(flows, findOpen).map((pointer) => ({
    pointer,
    message: 'has "{{" without "}}", so users see the braces. Add "}}", or write "\\{{"',
  }))

const findOpen = once((part: unknown) =>
  textsIn('', part)
    .filter(([pointer, text]) => !notText.test(pointer) && isOpen(text))
    .map(([pointer]) => pointer),
)

/** Names and notes are never evaluated, so nothing has checked the expressions in them. */
function isOpen(text: string): boolean {
  try {
    return hasOpenBraces(text)
  } catch (error) {
    if (error instanceof CodeError) return false
    throw error
  }
}
