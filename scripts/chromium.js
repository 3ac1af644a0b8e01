// Finds the system's Chromium, for the tests of pages, the benchmark and the screenshots.
import { existsSync } from 'node:fs'

const places = [
  process.env.CHROMIUM_PATH,
  // Has no window to draw, and so needs two thirds of the time.
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/** Its path, or null. */
export const chromiumPath = places.find((place) => place && existsSync(place)) ?? null
export const noChromium = 'needs Chromium: install it, or set CHROMIUM_PATH'

/** Chromium's own sandbox does not start for root. */
export const chromiumArgs = process.getuid?.() === 0 ? ['--no-sandbox'] : []
