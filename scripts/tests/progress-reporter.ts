// Prints how far a run is: the share of its work, and an estimate of the rest. A line that has not
// changed comes only twice a minute.
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Reporter, TestModule, TestSpecification } from 'vitest/node'
import { estimateRun, readDurations, toDuration } from './durations.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
/** A terminal has a summary that moves. */
const intervalMs = process.stdout.isTTY ? 15_000 : 2_500
/** A multiple of the interval. */
const sameLineMs = 30_000

export class ProgressReporter implements Reporter {
  readonly #print: (line: string) => void
  readonly #findDuration = readDurations()
  /** Expected milliseconds of the files that have not ended, and the starts of those that run. */
  readonly #remaining = new Map<string, number>()
  readonly #starts = new Map<string, number>()
  #total = 0
  #files = 0
  #startedAt = performance.now()
  #timer: NodeJS.Timeout | undefined

  constructor(print: (line: string) => void = (line) => console.log(line)) {
    this.#print = print
  }

  /** Before the tests, the set-up migrates a database. */
  onInit() {
    this.#startedAt = performance.now()
    this.#repeat(() => `Preparing the tests … ${this.#seconds()} s`)
  }

  onTestRunStart(specifications: readonly TestSpecification[]) {
    this.#startedAt = performance.now()
    for (const { moduleId } of specifications)
      this.#remaining.set(
        moduleId,
        this.#findDuration(relative(root, moduleId).replaceAll('\\', '/')),
      )
    const durations = [...this.#remaining.values()]
    this.#files = durations.length
    this.#total = durations.reduce((sum, ms) => sum + ms, 0)
    this.#print(`${this.#files} test files: about ${toDuration(estimateRun(durations))}`)
    this.#repeat(() => this.#state())
  }

  onTestModuleStart({ moduleId }: Pick<TestModule, 'moduleId'>) {
    this.#starts.set(moduleId, performance.now())
  }

  /** The other reporter prints the file, except on a terminal. */
  onTestModuleEnd({ moduleId }: Pick<TestModule, 'moduleId'>) {
    this.#remaining.delete(moduleId)
    if (!process.stdout.isTTY) this.#timer?.refresh()
  }

  onTestRunEnd() {
    clearInterval(this.#timer)
  }

  #repeat(line: () => string) {
    clearInterval(this.#timer)
    let last = ''
    let sameMs = 0
    this.#timer = setInterval(() => {
      const next = line()
      sameMs = next === last ? sameMs + intervalMs : 0
      last = next
      if (sameMs % sameLineMs === 0) this.#print(next)
    }, intervalMs)
    this.#timer.unref()
  }

  /** The estimate of the rest is by the speed of this run, once it has shown one. */
  #state(): string {
    const rest = [...this.#remaining.keys()].map((moduleId) => this.#findRest(moduleId))
    const restMs = rest.reduce((sum, ms) => sum + ms, 0)
    const done = this.#total > 0 ? 1 - restMs / this.#total : 1
    const elapsed = performance.now() - this.#startedAt
    const percent = Math.floor(done * 100)
    const ended = this.#files - rest.length
    if (ended === 0) return `0 of ${this.#files} files have ended … ${this.#seconds()} s`
    const left = done > 0.1 ? (elapsed * (1 - done)) / done : estimateRun(rest)
    return `${percent} % · ${ended} of ${this.#files} files · about ${toDuration(left)} left`
  }

  /** A file that takes longer than expected has some rest all the same. */
  #findRest(moduleId: string): number {
    const expected = this.#remaining.get(moduleId) ?? 0
    const startedAt = this.#starts.get(moduleId) ?? performance.now()
    return Math.max(expected - (performance.now() - startedAt), expected / 20)
  }

  #seconds = () => Math.round((performance.now() - this.#startedAt) / 1000)
}
