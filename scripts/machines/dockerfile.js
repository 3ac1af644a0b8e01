// Executes a Dockerfile without Docker: each stage is a root file system, RUN is a command inside, COPY a
// copy. Knows the instructions that our Dockerfile uses and rejects all others.
import { mkdirSync, readFileSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { copyRoot, run, runInside } from './debian.js'

/**
 * Builds the last stage in `folder` and returns its root and settings. `base` is the root that stands for the
 * base image. `given` maps names of stages that exist already to functions that return the place of a path.
 */
export async function buildImage(file, { context, folder, base, given = {} }) {
  const stages = new Map(Object.entries(given))
  let image = null
  for (const { instruction, text } of parse(readFileSync(file, 'utf8'))) {
    if (instruction === 'FROM') {
      const [, name = 'final'] = /^\S+(?: AS (\S+))?$/.exec(text)
      image = given[name] ? null : await startStage(join(folder, name), base)
      if (!image) continue
      const { root } = image
      stages.set(name, (path) => join(root, path))
    } else if (instruction !== 'ARG' && image) {
      const perform = instructions[instruction]
      if (!perform) throw new Error(`Dockerfile: unknown instruction ${instruction}`)
      await perform(image, text, { context, stages })
    }
  }
  return image
}

/** Returns the instructions, with continued lines joined and without comments. */
function parse(text) {
  const lines = text
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
  return lines.filter(Boolean).map((line) => {
    const [, instruction, rest] = /^(\w+)\s+(.*)$/.exec(line)
    return { instruction, text: rest }
  })
}

async function startStage(root, base) {
  await copyRoot(base, root)
  return {
    root,
    env: {},
    user: 'root',
    cwd: '/',
    healthcheck: [],
    entrypoint: [],
    command: [],
  }
}

const instructions = {
  async WORKDIR(image, text) {
    image.cwd = resolve(image.cwd, text)
    mkdirSync(join(image.root, image.cwd), { recursive: true })
  },
  async RUN({ root, env, cwd }, text) {
    await runInside(root, text, { env, cwd })
  },
  COPY: copy,
  async ENV(image, text) {
    for (const [, name, value] of text.matchAll(/(\w+)=(\S+)/g)) image.env[name] = value
  },
  async USER(image, text) {
    image.user = text
  },
  async VOLUME(image, text) {
    image.volumes = JSON.parse(text)
  },
  async EXPOSE() {},
  async HEALTHCHECK(image, text) {
    image.healthcheck = JSON.parse(text.replace(/^.*?CMD /, ''))
  },
  async ENTRYPOINT(image, text) {
    image.entrypoint = JSON.parse(text)
  },
  async CMD(image, text) {
    image.command = JSON.parse(text)
  },
}

async function copy({ root, cwd }, text, { context, stages }) {
  const [, stage, from, to] = /^(?:--from=(\S+) )?(\S+) (\S+)$/.exec(text)
  const target = join(root, resolve(cwd, to))
  if (from === '.') return copyContext(context, target)
  const source = stage ? stages.get(stage)(from) : join(context, from)
  const isFolder = !source.includes('*') && statSync(source).isDirectory()
  mkdirSync(target, { recursive: true })
  // The shell expands `*`.
  await run('sh', ['-c', `cp -a ${source}${isFolder ? '/.' : ''} ${target}`])
}

/** Copies the clone without the files of .dockerignore. */
function copyContext(context, target) {
  const ignored = readFileSync(join(context, '.dockerignore'), 'utf8')
    .split('\n')
    .filter(Boolean)
  const excluded = ignored.map((name) =>
    name.startsWith('**/') ? name.slice(3) : `./${name}`,
  )
  const options = excluded.map((name) => `--exclude='${name}'`).join(' ')
  mkdirSync(target, { recursive: true })
  return run('sh', [
    '-c',
    `tar -C ${context} ${options} -cf - . | tar -C ${target} -xf -`,
  ])
}
