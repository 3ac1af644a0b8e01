// Compiles and runs the code of a bot, which is one CommonJS module.
import { createRequire, isBuiltin } from 'node:module'
import v8 from 'node:v8'
import vm from 'node:vm'
import { splitProgram } from './program.ts'
import { mapStacks } from './source-map.ts'
import { endNames, tune, tunedParameters, tunedValues } from './tuned-code.ts'

/** `isTuned`: slow parts of bundles are replaced (tuned-code.ts). */
export function evaluate(attached: Buffer[], isTuned: boolean): unknown {
  const builtin = createRequire('file:///bot.cjs')
  const require = (name: string) => {
    if (isBuiltin(name)) return builtin(name)
    throw Object.assign(
      new Error(
        `Cannot find module '${name}': hosted code is one file, with its dependencies bundled`,
      ),
      { code: 'MODULE_NOT_FOUND' },
    )
  }
  const module = { exports: {} as unknown }
  if (attached[0]) mapStacks(attached[0])
  const { script, values } = createScript(attached, isTuned)
  const run = script.runInThisContext() as (...parameters: unknown[]) => void
  run.call(
    module.exports,
    module.exports,
    Object.assign(require, { resolve: (name: string) => name, cache: {} }),
    module,
    '/bot.cjs',
    '/',
    ...values,
  )
  endNames()
  return module.exports
}

const parameters = ['exports', 'require', 'module', '__filename', '__dirname']

/**
 * Creates a script of the attached code. V8 rejects cached data that belongs to another source text
 * and compiles normally.
 */
function createScript([code = Buffer.alloc(0), cachedData]: Buffer[], isTuned: boolean) {
  const split = splitProgram(code)
  const plain = split?.rest ?? String(code).replace(/^#!.*/, '')
  const text = isTuned ? tune(plain) : plain
  const tuned = text === plain ? [] : tunedParameters
  const values = [
    ...(tuned.length > 0 ? tunedValues : []),
    ...(split ? [split.program] : []),
  ]
  const all = [...parameters, ...tuned, ...(split ? ['program'] : [])]
  const before = `(function (${all.join(', ')}) {`
  const script = new vm.Script(`${before}${text}\n})`, {
    filename: 'bot.cjs',
    columnOffset: -before.length,
    ...(cachedData && { cachedData }),
    importModuleDynamically: vm.constants?.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  })
  return { script, values }
}

/**
 * Compiles all functions eagerly. Restores the default flags first: V8 accepts cached data only
 * under equal flags.
 */
export function compile(attached: Buffer[], isTuned: boolean): Buffer {
  v8.setFlagsFromString('--no-lazy')
  const { script } = createScript(attached, isTuned)
  v8.setFlagsFromString('--lazy')
  return script.createCachedData()
}
