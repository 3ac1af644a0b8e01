// Bundles the bot into dist/bot.cjs: one CommonJS file with `handler`, which the server runs.
import { build } from 'esbuild'

await build({
  entryPoints: ['src/bot.ts'],
  outfile: 'dist/bot.cjs',
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: 'node20',
  // Stack traces then name the files in `src`. Without the contents of these files.
  sourcemap: 'inline',
  sourcesContent: false,
  logLevel: 'warning',
})
