// Run after every change of the dependencies: node scripts/complete-lock.mjs
// A registry that does not carry the packages of every platform makes npm leave them out of package-lock.json, and then
// `npm ci` refuses the file. This adds the missing optional ones, without a checksum that nobody could have seen.
import { readFileSync, writeFileSync } from 'node:fs'

const file = new URL('../package-lock.json', import.meta.url)
const lock = JSON.parse(readFileSync(file, 'utf8'))
const systems = ['darwin', 'linux', 'win32', 'freebsd', 'android', 'openharmony', 'openbsd', 'netbsd', 'sunos', 'aix']
const processors = ['x64', 'arm64', 'arm', 'ia32', 'ppc64', 's390x', 'riscv64', 'loong64', 'wasm32', 'mips64el']
const libraries = { gnu: 'glibc', musl: 'musl', musleabihf: 'musl' }

/** The entry that npm would have found for `name`, seen from the package at `holder`. */
function isThere(name, holder) {
  for (let at = holder; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/node_modules/')))) {
    if (lock.packages[`${at === '' ? '' : `${at}/`}node_modules/${name}`]) return true
    if (at === '') return false
  }
}

function entry(name, version, dev) {
  const words = name.split('/').at(-1).split(/[-_]/)
  const system = words.includes('windows')
    ? 'win32'
    : words.includes('macos')
      ? 'darwin'
      : words.find((w) => systems.includes(w))
  const processor = words.find((word) => processors.includes(word))
  const library = words.map((word) => libraries[word]).find((found) => found !== undefined)
  return {
    version,
    ...(processor && { cpu: [processor] }),
    ...(dev && { dev }),
    ...(library && { libc: [library] }),
    optional: true,
    ...(system && { os: [system] }),
  }
}

let added = 0
for (const [holder, { optionalDependencies = {}, dev }] of Object.entries(lock.packages)) {
  for (const [name, version] of Object.entries(optionalDependencies)) {
    if (isThere(name, holder) || !/^\d+\.\d+\.\d+[\w.-]*$/.test(version)) continue
    lock.packages[`node_modules/${name}`] = entry(name, version, dev)
    added++
  }
}
lock.packages = Object.fromEntries(Object.entries(lock.packages).toSorted(([a], [b]) => (a < b ? -1 : 1)))
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`)
console.log(`${added} added`)
