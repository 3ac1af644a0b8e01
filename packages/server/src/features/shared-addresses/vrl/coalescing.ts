// Unnecessary error coalescing in scripts: `.body ?? "x"`, where `.body` cannot fail. Newer compilers
// of the language warn of it; this one rejects it.
import type { CompilationDiagnostic } from '@bpinternal/verel'

const unnecessaryCoalescing = 651

/** Of one script; each takes a compilation. */
const maxCorrections = 50

type Check = (script: string) => Record<'errors' | 'warnings', CompilationDiagnostic[]>

/**
 * Returns the script without such operations, and what the compiler says of it: the operations are
 * warnings. Spaces replace them, so that positions stay the same; they count bytes.
 */
export function checkTolerantly(
  check: Check,
  script: string,
): ReturnType<Check> & { corrected: string } {
  const removed: CompilationDiagnostic[] = []
  const bytes = Buffer.from(script)
  for (;;) {
    const corrected = bytes.toString()
    const { errors, warnings } = check(corrected)
    const found = errors.find(({ code }) => code === unnecessaryCoalescing)
    const [infallible, fallback] = found?.labels ?? []
    if (!infallible || !fallback || removed.length >= maxCorrections)
      return { corrected, errors, warnings: [...removed, ...warnings] }
    removed.push(found!)
    bytes.fill(' ', infallible.span[1], fallback.span[1])
  }
}
