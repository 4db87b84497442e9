import { spawnSync } from 'node:child_process'

/** Fails if a tracked text file has a merge conflict marker. Default folder: the current one. */
const [folder = '.'] = process.argv.slice(2)
const pattern = '^(<{7}|={7}|>{7}|[|]{7})([[:space:]]|$)'
const { status, stdout, stderr, error } = spawnSync('git', ['-C', folder, 'grep', '-nIE', pattern], {
  encoding: 'utf8',
})
if (error) throw error
process.stdout.write(stdout)
process.stderr.write(stderr)
// git grep exits with 1 if nothing matches.
process.exitCode = status === 1 ? 0 : 1
