export function prepareTests(files: string[]): Promise<void>
