// Multiplies the timeouts of tests and hooks, also those that a file states, on a slow or busy machine:
// `BOTSTEAD_TEST_PATIENCE=5 npx vitest run <file>`.
import { fileURLToPath } from 'node:url'

/** The factor: a number from 1. */
export const patience = readPatience(process.env.BOTSTEAD_TEST_PATIENCE)

export function readPatience(text = '1'): number {
  const factor = Number(text)
  if (factor >= 1 && factor <= 1000) return factor
  throw new Error(`BOTSTEAD_TEST_PATIENCE is "${text}": set a number from 1 to 1000`)
}

const patientVitest = fileURLToPath(new URL('patient-vitest.ts', import.meta.url))

/** Vite's plugin that gives test files the functions of `patient-vitest.ts`. */
export const patientTests = {
  name: 'patient-tests',
  enforce: 'pre' as const,
  resolveId: (id: string, importer = '') =>
    id === 'vitest' && /\.test\.tsx?$/.test(importer.split('?')[0]!)
      ? patientVitest
      : null,
}

const made = new WeakSet<object>()

/**
 * Returns a function of Vitest that multiplies a timeout in its arguments or options. So do its
 * variants, such as `test.each(…)`.
 */
export function withPatience<Target>(target: Target, factor = patience): Target {
  if (typeof target !== 'function' || made.has(target)) return target
  const patient = new Proxy(target, {
    apply: (call, self, args) =>
      withPatience(
        Reflect.apply(
          call,
          self,
          args.map((argument) => multiply(argument, factor)),
        ),
        factor,
      ),
    get(object, name) {
      const property = Reflect.getOwnPropertyDescriptor(object, name)
      // A proxy must return the same value for these.
      if (property?.configurable === false && property.writable === false)
        return property.value
      return withPatience(Reflect.get(object, name), factor)
    },
  })
  made.add(patient)
  return patient
}

function multiply(argument: unknown, factor: number): unknown {
  if (typeof argument === 'number') return argument * factor
  const { timeout } = (argument ?? {}) as { timeout?: unknown }
  const isOptions = typeof argument === 'object' && typeof timeout === 'number'
  return isOptions ? { ...argument, timeout: timeout * factor } : argument
}
