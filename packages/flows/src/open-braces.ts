// Warns of texts in which the end of an expression is missing: users would see them as written.
import type { FlowDocument } from './document.ts'
import type { Problem } from './problems.ts'
import { hasOpenBraces } from './template.ts'
import { textsIn } from './variable-names.ts'

/** Not texts: braces have another meaning in code and patterns. */
const notText = /\/(?:code|pattern|when|validate)$/

export const checkBraces = ({ flows }: FlowDocument): Problem[] =>
  textsIn('/flows', flows)
    .filter(
      ([pointer, text]) => text.includes('{{') && !notText.test(pointer) && hasOpenBraces(text),
    )
    .map(([pointer]) => ({
      pointer,
      message: 'has "{{" without "}}", so users see the braces. Add "}}", or write "\\{{"',
    }))
