// Compiles and runs the code of a bot, which is one CommonJS module.
import { createRequire, isBuiltin } from 'node:module'
import v8 from 'node:v8'
import vm from 'node:vm'
import { mapStacks } from './source-map.ts'

export function evaluate(attached: Buffer[]): unknown {
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
  const run = createScript(attached).runInThisContext() as (...parameters: unknown[]) => void
  run.call(
    module.exports,
    module.exports,
    Object.assign(require, { resolve: (name: string) => name, cache: {} }),
    module,
    '/bot.cjs',
    '/',
  )
  return module.exports
}

const before = '(function (exports, require, module, __filename, __dirname) {'

/**
 * Creates a script of the attached code. V8 rejects cached data that belongs to another source text
 * and compiles normally.
 */
function createScript([code, cachedData]: Buffer[]): vm.Script {
  return new vm.Script(`${before}${String(code ?? '').replace(/^#!.*/, '')}\n})`, {
    filename: 'bot.cjs',
    columnOffset: -before.length,
    ...(cachedData && { cachedData }),
    importModuleDynamically: vm.constants?.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  })
}

/**
 * Compiles all functions eagerly. Restores the default flags first: V8 accepts cached data only
 * under equal flags.
 */
export function compile(attached: Buffer[]): Buffer {
  v8.setFlagsFromString('--no-lazy')
  const script = createScript(attached)
  v8.setFlagsFromString('--lazy')
  return script.createCachedData()
}
