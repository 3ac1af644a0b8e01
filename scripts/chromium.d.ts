export declare const chromiumPath: string | null
export declare const noChromium: string
export declare const chromiumArgs: string[]
