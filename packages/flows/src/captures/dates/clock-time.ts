// A time of the day as it was written or spoken.

export interface Time {
  /** 24 is the end of the day. */
  hour: number
  minute: number
  second: number
  /** The time has "am" or "pm". */
  isHalfDay?: boolean
  /** The word "midnight": of a day, it is its beginning or its end. */
  isMidnight?: boolean
  /** Zone that the text names, as "utc+2:30". */
  zone?: string
}
