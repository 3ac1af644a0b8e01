import { expect, test } from 'vitest'
import { checkProcessLimits, readProcessLimits } from './process-limits.ts'

const limits = (files: string, processes: string) =>
  readProcessLimits(`Limit                     Soft Limit           Hard Limit           Units
Max processes             ${processes}                ${processes}                processes
Max open files            ${files}                 ${files}                 files
`)

test('accepts usual limits, no limit, and a system that does not report limits', () => {
  checkProcessLimits(limits('1024', '31000'))
  checkProcessLimits(limits('unlimited', 'unlimited'))
  checkProcessLimits(readProcessLimits(''))
})

test('names the limit that is too low, its value and the value that is needed', () => {
  expect(() => checkProcessLimits(limits('64', '31000'))).toThrow(
    /open files is 64 \(ulimit -n\).* need at least 512/,
  )
  expect(() => checkProcessLimits(limits('1024', '20'))).toThrow(
    /processes .* is 20 \(ulimit -u\).* need at least 256/,
  )
})
