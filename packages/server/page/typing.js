// Reports that the user writes: once, again while the user continues, and when the user stops.

const REPEAT = 10_000
const PAUSE = 5_000

/** `send(isTyping)` calls the server; its errors are ignored, since an indicator is not important. */
export function openTyping(send) {
  let reportedAt = 0
  let timer
  const report = (isTyping) => void send(isTyping).catch(() => {})
  const end = () => {
    clearTimeout(timer)
    if (reportedAt > 0) report(false)
    reportedAt = 0
  }
  return {
    note() {
      clearTimeout(timer)
      timer = setTimeout(end, PAUSE)
      if (reportedAt > 0 && performance.now() - reportedAt < REPEAT) return
      reportedAt = performance.now()
      report(true)
    },
    end,
    close: () => clearTimeout(timer),
  }
}
