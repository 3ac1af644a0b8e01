// Loaded into a server before its code: shifts the wall clock of the main thread by the milliseconds
// in the file LAB_CLOCK_FILE, which may change at any time. Timers do not shift.
import { readFileSync } from 'node:fs'

const file = process.env.LAB_CLOCK_FILE
const readEveryMs = 20
const TrueDate = Date
let shiftMs = 0

const now = () => TrueDate.now() + shiftMs

globalThis.Date = new Proxy(TrueDate, {
  construct: (target, values, newTarget) =>
    Reflect.construct(target, values.length > 0 ? values : [now()], newTarget),
  apply: () => new TrueDate(now()).toString(),
  get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
})

function readShift() {
  try {
    shiftMs = Number(readFileSync(file!, 'utf8')) || 0
  } catch {
    // Not written yet.
  }
}

if (file) {
  readShift()
  setInterval(readShift, readEveryMs).unref()
}
