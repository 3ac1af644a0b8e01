// Replaces two parts of bundles that are slow, if they have their known form: esbuild's helper for
// names of functions, and the choice of an adapter in axios. Replacements are as long as the text that
// they replace, so positions in stacks and source maps stay right. The parameters of the module give
// them their functions.
import { adaptAxios, noteAdapter } from './api-requests.ts'

/** In the order of their values, `tunedValues`. Each has the length that its replacement needs. */
const names = {
  giveName: '$botstead_name',
  noteAdapter: '$botstead_adapterName',
  adapt: '$bs_h',
}
export const tunedParameters = Object.values(names)
export const tunedValues: unknown[] = [giveName, noteAdapter, adaptAxios]

/**
 * esbuild's `keepNames` (`bp build` sets it), only at the very beginning, where esbuild writes it: after
 * variables that are functions of `Object`. So text that looks like it, further below, is not replaced.
 */
const prologue =
  /^(?:"use strict";\s*)?(?:var [\w$]+\s?=\s?Object\.[\w.]+(?:,\s*[\w$]+\s?=\s?Object\.[\w.]+)*;\s*)+var [\w$]+\s?=\s?\(([\w$]+),\s?([\w$]+)\)\s?=>\s?/
const helper =
  /([\w$]+)\(([\w$]+), ?"name", ?\{ ?value(?:: ?([\w$]+))?, ?configurable: ?(?:true|!0) ?\}\)/y
const adapters =
  /(transitional: ?[\w$.]+,\s*adapter: ?\[)"xhr"(, ?"http", ?"fetch"\],\s*transform)/g
const adapterNames = /Object\.defineProperty(\([\w$]+, ?"adapterName", ?)/g

/** Returns the code unchanged if it has none of the parts, or names of ours. */
export function tune(code: string): string {
  return tunedParameters.some((name) => code.includes(name))
    ? code
    : replaceAdapter(replaceHelper(code))
}

function replaceHelper(code: string): string {
  const before = prologue.exec(code)
  if (!before) return code
  const [{ length: start }, target, value] = before
  helper.lastIndex = start
  const [call, define, first, second = 'value'] = helper.exec(code) ?? []
  const isDefine = new RegExp(
    `[ ,]${toPattern(define)}\\s?=\\s?Object\\.defineProperty[,;]`,
  )
  if (!call || first !== target || second !== value || !isDefine.test(before[0]))
    return code
  const replacement = `${names.giveName}(${target},${value})`.padEnd(call.length)
  return replacement.length === call.length
    ? code.slice(0, start) + replacement + code.slice(start + call.length)
    : code
}

const toPattern = (name = '') => name.replaceAll('$', '\\$')

/** Only a single copy of axios, because the functions of another one would be mixed up. */
function replaceAdapter(code: string): string {
  const isSingle = [adapters, adapterNames].every(
    (form) => code.match(form)?.length === 1,
  )
  return isSingle
    ? code
        .replace(adapters, (_, before, after) => before + names.adapt + after)
        .replace(adapterNames, (_, after) => names.noteAdapter + after)
    : code
}

let isLoaded = false
const define = Object.defineProperty

/** Must be called when the code has been loaded. */
export function endNames(): void {
  isLoaded = true
}

/**
 * Names each function while the code is loaded, and later those that can be constructors: classes, and
 * functions of errors. An SDK bot creates 300 others for each event, whose names are a fifth of its time.
 */
function giveName<Target extends object>(target: Target, value: string): Target {
  return isLoaded && !Object.hasOwn(target, 'prototype')
    ? target
    : define(target, 'name', { value, configurable: true })
}
