// Whether the expressions of a document, and the texts that they stand in, can be worked out at all. They are compiled, and not run.
import { CodeError } from './code-error.ts'
import { escapePointer } from './json-places.ts'
import type { Problem } from './problems.ts'
import { checkTemplate, checkExpression as compileExpression } from './template.ts'

const longest = 10_000

export const checkExpression = (pointer: string, text: string): Problem[] =>
  problemsOf(pointer, () => compileExpression(text, ''))

/** All texts inside, however deep. */
export function checkTemplates(pointer: string, value: unknown): Problem[] {
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([name, inside]) =>
      checkTemplates(`${pointer}/${escapePointer(name)}`, inside),
    )
  if (typeof value !== 'string') return []
  if (value.includes('{{') && value.length > longest)
    return [{ pointer, message: `has more than ${longest} characters, and {{ }} in it` }]
  return problemsOf(pointer, () => checkTemplate(value, ''))
}

function problemsOf(pointer: string, compile: () => void): Problem[] {
  try {
    compile()
    return []
  } catch (error) {
    if (error instanceof CodeError) return [{ pointer, message: error.said }]
    throw error
  }
}
