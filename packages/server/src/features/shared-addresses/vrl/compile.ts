// Checks scripts without running them.
import type { CompilationDiagnostic } from '@bpinternal/verel'
import { type Vrl, VrlFailed } from './vrl.ts'

interface Compilation {
  /** The first error with its position; null for a script that compiles. */
  error: string | null
  /** With their positions. */
  warnings: string[]
}

/** Throws VrlFailed when too many scripts are waiting. */
export async function compileScript(
  vrl: Pick<Vrl, 'check'>,
  tenant: string,
  script: string,
): Promise<Compilation> {
  try {
    const { errors, warnings } = await vrl.check(tenant, script)
    const describe = (found: CompilationDiagnostic) => withPosition(script, found)
    return { error: errors.map(describe)[0] ?? null, warnings: warnings.map(describe) }
  } catch (error) {
    if (!(error instanceof VrlFailed) || error.reason === 'busy') throw error
    return { error: error.message, warnings: [] }
  }
}

const syntaxError = 203

/** Converts the compiler's byte offsets to line and column. */
function withPosition(
  script: string,
  { message, labels, code }: CompilationDiagnostic,
): string {
  const [first] = labels
  if (!first) return message
  const before = Buffer.from(script).subarray(0, first.span[0]).toString().split('\n')
  // Syntax errors name the expected token in another label.
  const details =
    code === syntaxError ? labels.map((label) => label.message) : [first.message]
  return `line ${before.length}, column ${before.at(-1)!.length + 1}: ${message} (${details.join('; ')})`
}
