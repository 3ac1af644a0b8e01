// Prints the skipped tests with reasons at the end of a run, and the counts as the last line.
import type { Reporter, TestModule } from 'vitest/node'

export class CountReporter implements Reporter {
  private counts = { passed: 0, failed: 0, skipped: 0 }
  private skipped: string[] = []
  private readonly leftOut: string[]

  /** `leftOut` describes files that are not part of the run; each counts as skipped. */
  constructor(leftOut: string[] = []) {
    this.leftOut = leftOut
  }

  onInit() {
    process.once('exit', (code) => {
      for (const line of [...this.leftOut, ...this.skipped])
        process.stdout.write(`left out: ${line}\n`)
      const { passed, failed, skipped } = this.counts
      // A run that crashes before its first test has one failure.
      process.stdout.write(
        `${passed} passed, ${failed || (code ? 1 : 0)} failed, ${skipped + this.leftOut.length} skipped\n`,
      )
    })
  }

  /** Counts also the errors of files that cannot be loaded, and errors outside of tests. */
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]) {
    const counts = { passed: 0, failed: unhandledErrors.length, skipped: 0 }
    this.skipped = []
    for (const module of modules) {
      if (module.errors().length) counts.failed++
      for (const suite of module.children.allSuites())
        if (suite.errors().length) counts.failed++
      for (const test of module.children.allTests()) {
        const result = test.result()
        counts[result.state === 'pending' ? 'skipped' : result.state]++
        if (result.state === 'skipped' && result.note)
          this.skipped.push(
            `${module.relativeModuleId}: ${test.fullName} (${result.note})`,
          )
      }
    }
    this.counts = counts
  }
}
