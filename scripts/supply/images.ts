import type { Versions } from './components.ts'

/** An image as a Dockerfile or a compose file names it: `name:tag` or `name:tag@digest`. Those that are built here have a `$` in their tag. */
const named = /^((?:FROM|\s+image:)\s+)([\w./-]+:[\w.-]+(?:@sha256:[0-9a-f]{64})?)(?=\s|$)/gm

export function namedImages(text: string): readonly string[] {
  return [...text.matchAll(named)].map(([, , image = '']) => image)
}

/** How an image is named: by its digest, where it is known. */
export function nameOf(name: string, { tag, digest }: Versions['images'][string]): string {
  return digest === null ? `${name}:${tag}` : `${name}:${tag}@${digest}`
}

/** The text with each of the images named anew. Throws for an image that is none of them. */
export function pinned(text: string, images: Versions['images']): string {
  return text.replace(named, (_, before: string, image: string) => {
    const [name = ''] = image.split(':')
    const wanted = images[name]
    if (wanted === undefined) throw new Error(`local-services/versions.json does not know the image ${image}`)
    return `${before}${nameOf(name, wanted)}`
  })
}
