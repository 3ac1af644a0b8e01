export function listTestFiles(folder?: string): string[]
export function findFiles(subject: string, files: string[]): string[]
export function findSimilar(subject: string, files: string[]): string[]
