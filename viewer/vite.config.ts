import {defineConfig} from 'vite';

// `npm run dev` shows the client from its sources; the data come from `throng view FILE --port 8123` beside it.
const pages = ['index', 'edit', 'compare'];
export default defineConfig({
  base: './',
  build: {outDir: '../build/viewer', emptyOutDir: true, chunkSizeWarningLimit: 900,
          rollupOptions: {input: Object.fromEntries(pages.map(page => [page, new URL(`${page}.html`, import.meta.url).pathname]))}},
  worker: {format: 'es'},
  server: {proxy: {'/api': 'http://127.0.0.1:8123', '/download': 'http://127.0.0.1:8123', '/edit': 'http://127.0.0.1:8123',
                   '/socket': {target: 'ws://127.0.0.1:8123', ws: true}}},
});
