// Checks whether a script compiles. The interpreter has no separate compile step, so the script
// runs on an empty object; runtime errors are ignored.
import { type Vrl, VrlFailed } from './vrl.ts'

/**
 * Returns the first compile error with its position, or null for a script that compiles. Throws
 * VrlFailed when too many scripts are waiting.
 */
export async function findCompileError(
  vrl: Pick<Vrl, 'run'>,
  tenant: string,
  script: string,
): Promise<string | null> {
  try {
    await vrl.run(tenant, script, {})
    return null
  } catch (error) {
    if (!(error instanceof VrlFailed) || error.reason === 'busy') throw error
    if (error.reason === 'broken') return error.message
    return error.reason === 'compile' ? withPosition(script, error.message) : null
  }
}

/**
 * Converts the compiler's byte offsets, such as `- [19, 20]: undefined variable`, to line and
 * column.
 */
function withPosition(script: string, text: string): string {
  const [, message] = /^message: (.*)$/m.exec(text) ?? []
  const [, start, label] = /^ +- \[(\d+), \d+\]: (.*)$/m.exec(text) ?? []
  if (message === undefined || start === undefined) return text
  const before = Buffer.from(script).subarray(0, Number(start)).toString().split('\n')
  return `line ${before.length}, column ${before.at(-1)!.length + 1}: ${message} (${label})`
}
