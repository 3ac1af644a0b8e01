// Compiles VRL scripts when they are set, so that authors learn of mistakes before a webhook
// arrives.
import { ApiError } from '@botstead/contract'
import { compileScript } from './vrl/compile.ts'
import type { Vrl } from './vrl/vrl.ts'
import { VrlFailed } from './vrl/vrl.ts'

type Scripts = Record<string, string | null | undefined>
interface Scripted {
  identifier?: Scripts
  sandbox?: Scripts
  configuration?: { identifier?: Scripts }
  configurations?: Record<string, { identifier?: Scripts } | null>
}

/**
 * Returns errors and warnings of the compiler with the fields' paths, of scripts that do not compile first:
 * published integrations have such scripts. Throws Unavailable while the queue is full. Compiles one script
 * at a time, because scripts of a tenant share a queue.
 */
export async function checkScripts(
  vrl: Pick<Vrl, 'check'>,
  workspaceId: string,
  definition: object,
): Promise<string[]> {
  const checked = new Set<string>()
  const errors: string[] = []
  const found: string[] = []
  for (const [path, script] of listScripts(definition as Scripted)) {
    if (!script || checked.has(script)) continue
    checked.add(script)
    const compiling = compileScript(vrl, `members of ${workspaceId}`, script)
    const { error, warnings } = await compiling.catch(explain)
    if (error !== null) errors.push(`\`${path}\` does not compile: ${error}`)
    found.push(...warnings.map((warning) => `\`${path}\`, ${warning}`))
  }
  return [...errors, ...found]
}

function listScripts({ identifier, sandbox, configuration, configurations }: Scripted) {
  const within = (path: string, scripts: Scripts | undefined, names: string[]) =>
    names.map((name) => [`${path}.${name}`, scripts?.[name]] as const)
  const links = Object.entries({ ...configurations }).flatMap(([name, one]) =>
    within(`configurations.${name}.identifier`, one?.identifier, ['linkTemplateScript']),
  )
  return [
    ...within('identifier', identifier, ['extractScript', 'fallbackHandlerScript']),
    ...within('sandbox', sandbox, ['identifierExtractScript', 'messageExtractScript']),
    ...within('configuration.identifier', configuration?.identifier, [
      'linkTemplateScript',
    ]),
    ...links,
  ]
}

function explain(error: unknown): never {
  if (error instanceof VrlFailed) throw new ApiError('Unavailable', error.message)
  throw error
}
