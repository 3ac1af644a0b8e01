// Checks the expressions of a document by compiling them. Does not run them.
import { CodeError } from '../code/code-error.ts'
import { checkTemplate, checkExpression as compileExpression } from '../code/template.ts'
import { escapePointer } from '../document/pointer.ts'
import type { Problem } from '../document/problems.ts'

const maxTemplateLength = 10_000

export const checkExpressionAt = (pointer: string, text: string): Problem[] =>
  findProblems(pointer, () => compileExpression(text, ''))

/** Checks all texts inside a value. */
export function checkTemplates(pointer: string, value: unknown): Problem[] {
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([name, inside]) =>
      checkTemplates(`${pointer}/${escapePointer(name)}`, inside),
    )
  if (typeof value !== 'string') return []
  if (value.includes('{{') && value.length > maxTemplateLength)
    return [
      {
        pointer,
        message: `has {{ }} and more than ${maxTemplateLength} characters. Shorten it`,
      },
    ]
  return findProblems(pointer, () => checkTemplate(value, ''))
}

function findProblems(pointer: string, compile: () => void): Problem[] {
  try {
    compile()
    return []
  } catch (error) {
    if (error instanceof CodeError) return [{ pointer, message: error.bareMessage }]
    throw error
  }
}
