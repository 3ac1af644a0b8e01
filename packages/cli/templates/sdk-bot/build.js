// Bundles the bot into dist/bot.cjs: one CommonJS file with `handler`, which the server runs.
import { build } from 'esbuild'

await build({
  entryPoints: ['src/bot.ts'],
  outfile: 'dist/bot.cjs',
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: 'node20',
  // Readable in the server's logs; Node maps errors to the sources (`--enable-source-maps`).
  sourcemap: true,
  logLevel: 'warning',
})
