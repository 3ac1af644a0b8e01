// Intervals between the frames of a page.
/// <reference lib="dom" />
import type { Page } from 'playwright-core'
import { digits, median, quantile } from '../report.ts'

interface Frames {
  /** Milliseconds. */
  intervals: number[]
  longTasks: number
  /** Milliseconds. */
  longestTask: number
}

export async function frames(page: Page, work: () => Promise<void>): Promise<Frames> {
  await page.evaluate(() => {
    const recorder = globalThis as unknown as Frames & { end: () => void }
    recorder.intervals = []
    recorder.longTasks = 0
    recorder.longestTask = 0
    let last = performance.now()
    const record = (now: number) => {
      recorder.intervals.push(now - last)
      last = now
      next = requestAnimationFrame(record)
    }
    let next = requestAnimationFrame(record)
    const observer = new PerformanceObserver((list) => {
      const durations = list.getEntries().map(({ duration }) => duration)
      recorder.longTasks += durations.length
      recorder.longestTask = Math.max(recorder.longestTask, ...durations)
    })
    observer.observe({ type: 'longtask' })
    recorder.end = () => {
      cancelAnimationFrame(next)
      observer.disconnect()
    }
  })
  await work()
  await page.waitForTimeout(1_000)
  return page.evaluate(() => {
    const { end, intervals, longTasks, longestTask } = globalThis as unknown as Frames & {
      end: () => void
    }
    end()
    return { intervals: intervals.slice(1), longTasks, longestTask }
  })
}

/** Median and 95th percentile. */
export const shownFrames = ({ intervals }: Frames) => [
  digits(median(intervals)),
  digits(quantile(intervals, 0.95)),
]
