// Ends a test run with what was left out and why, and as the very last line with the count, for people and scripts alike.
import type { Reporter, TestModule } from 'vitest/node'

export class CountReporter implements Reporter {
  /** Until the run ends by itself, it counts as one failure: so does a run that dies before its first test. */
  private counts = { passed: 0, failed: 1, skipped: 0 }
  private leftOut: string[] = []

  onInit() {
    process.once('exit', () => {
      for (const line of this.leftOut) process.stdout.write(`left out: ${line}\n`)
      const { passed, failed, skipped } = this.counts
      process.stdout.write(`${passed} passed, ${failed} failed, ${skipped} skipped\n`)
    })
  }

  /** A file that cannot be loaded has no tests, so its own errors count, and so do those that no test caught. */
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]) {
    const counts = { passed: 0, failed: unhandledErrors.length, skipped: 0 }
    this.leftOut = []
    for (const module of modules) {
      if (module.errors().length) counts.failed++
      for (const suite of module.children.allSuites()) if (suite.errors().length) counts.failed++
      for (const test of module.children.allTests()) {
        const result = test.result()
        counts[result.state === 'pending' ? 'skipped' : result.state]++
        if (result.state === 'skipped') this.leftOut.push(`${test.fullName}${result.note ? ` (${result.note})` : ''}`)
      }
    }
    this.counts = counts
  }
}
