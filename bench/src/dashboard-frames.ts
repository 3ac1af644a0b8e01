// Intervals between the frames of a page.
/// <reference lib="dom" />
import type { Page } from 'playwright-core'
import { digits, median, quantile } from './report.ts'

interface Frames {
  /** Milliseconds. */
  intervals: number[]
  longTasks: number
}

export async function frames(page: Page, work: () => Promise<void>): Promise<Frames> {
  await page.evaluate(() => {
    const recorder = globalThis as unknown as Frames & { end: () => void }
    recorder.intervals = []
    recorder.longTasks = 0
    let last = performance.now()
    const record = (now: number) => {
      recorder.intervals.push(now - last)
      last = now
      next = requestAnimationFrame(record)
    }
    let next = requestAnimationFrame(record)
    const observer = new PerformanceObserver((list) => {
      recorder.longTasks += list.getEntries().length
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
    const { end, intervals, longTasks } = globalThis as unknown as Frames & { end: () => void }
    end()
    return { intervals: intervals.slice(1), longTasks }
  })
}

/** Median and 95th percentile. */
export const shownFrames = ({ intervals }: Frames) => [
  digits(median(intervals)),
  digits(quantile(intervals, 0.95)),
]
