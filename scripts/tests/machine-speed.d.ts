export declare function timeLoop(): number
export declare function slowdownSince(before: number): number
export declare function inTime(
  what: string,
  seconds: number,
  limit: number,
  slowdown: number,
): string
