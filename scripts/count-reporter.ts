// Ends a test run with what was left out and why, and as the very last line with the count, for people and scripts alike.
import type { Reporter, TestModule } from 'vitest/node'

export class CountReporter implements Reporter {
  private counts = { passed: 0, failed: 0, skipped: 0 }
  private leftOut: string[] = []

  onInit() {
    process.once('exit', (code) => {
      for (const line of this.leftOut) process.stdout.write(`left out: ${line}\n`)
      const { passed, failed, skipped } = this.counts
      // A run that dies before its first test has failed as well.
      process.stdout.write(`${passed} passed, ${failed || (code ? 1 : 0)} failed, ${skipped} skipped\n`)
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
        if (result.state === 'skipped' && result.note) this.leftOut.push(`${test.fullName} (${result.note})`)
      }
    }
    this.counts = counts
  }
}
