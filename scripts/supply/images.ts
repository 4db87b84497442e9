import type { Versions } from './components.ts'

/** `name:tag` with optional digest in Dockerfiles and Compose files; not own images (`$` tags). */
const named = /^((?:FROM|\s+image:)\s+)([\w./-]+:[\w.-]+(?:@sha256:[0-9a-f]{64})?)(?=\s|$)/gm

export function namedImages(text: string): readonly string[] {
  return [...text.matchAll(named)].map(([, , image = '']) => image)
}

/** The reference of an image: by digest if known. */
export function nameOf(name: string, { tag, digest }: Versions['images'][string]): string {
  return digest === null ? `${name}:${tag}` : `${name}:${tag}@${digest}`
}

/** Replaces the image references in a text. Throws for an image without an entry. */
export function pinned(text: string, images: Versions['images']): string {
  return text.replace(named, (_, before: string, image: string) => {
    const [name = ''] = image.split(':')
    const wanted = images[name]
    if (wanted === undefined) throw new Error(`local-services/versions.json does not know the image ${image}`)
    return `${before}${nameOf(name, wanted)}`
  })
}
