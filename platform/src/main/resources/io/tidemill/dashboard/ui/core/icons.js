// The icons of the views, drawn in the text colour.
import { svg, html } from './element.js';

const PATHS = {
  overview: 'M3 10a7 7 0 1 1 14 0a7 7 0 0 1-14 0M10 10l3.5-3.5M10 3v2',
  crawls: 'M10 10v-7M10 10l6 4M10 10l-6 4M10 3a1 1 0 1 0 0-.1M16 14a1.4 1.4 0 1 0 .1 0M4 14a1.4 1.4 0 1 0 .1 0',
  search: 'M8.5 14a5.5 5.5 0 1 0 0-11a5.5 5.5 0 0 0 0 11M12.6 12.6l4.4 4.4',
  workflows: 'M3 4h5v4H3zM12 12h5v4h-5zM8 6h3.5a2 2 0 0 1 2 2v4',
  tasks: 'M3 5l1.5 1.5L7 4M10 5.5h7M3 11l1.5 1.5L7 10M10 11.5h7M10 16.5h7M4 16.5h2',
  jobs: 'M10 7.2a2.8 2.8 0 1 0 0 5.6a2.8 2.8 0 0 0 0-5.6M10 2.5v2.3M10 15.2v2.3M2.5 10h2.3M15.2 10h2.3M4.7 4.7l1.6 1.6M13.7 13.7l1.6 1.6M4.7 15.3l1.6-1.6M13.7 6.3l1.6-1.6',
  analytics: 'M3 17h14M5 14v-4M9 14V5M13 14v-6M16.5 14v-2',
  dead: 'M3 5h14v10H3zM3 5.5l7 5.5l7-5.5M7 3l6 0',
  traces: 'M3 4h6M6 8h7M9 12h5M12 16h5',
  contracts: 'M5 3h7l3 3v11H5zM12 3v3h3M7.5 10h5M7.5 13h5',
  servers: 'M3 4h14v5H3zM3 11h14v5H3zM6 6.5h.1M6 13.5h.1',
  audit: 'M10 3l6 2.5v4c0 4-2.6 6.4-6 7.5c-3.4-1.100-6-3.5-6-7.500v-4zM7.5 10l2 2l3.500-3.500',
  sun: 'M10 6.500a3.500 3.500 0 1 0 0 7a3.500 3.500 0 0 0 0-7M10 2v1.500M10 16.500v1.500M2 10h1.500M16.500 10h1.500M4.300 4.300l1.100 1.100M14.600 14.600l1.100 1.100M4.300 15.700l1.100-1.100M14.600 5.400l1.100-1.100',
  moon: 'M16 11.500a6.500 6.500 0 1 1-7.500-7.500a5.200 5.200 0 0 0 7.500 7.500',
  half: 'M10 3a7 7 0 1 0 0 14a7 7 0 0 0 0-14M10 3v14M12 5.500v9M14 7.500v5',
  menu: 'M3 5h14M3 10h14M3 15h14',
};

export const icon = (name) => html`<svg class="icon" viewBox="0 0 20 20" aria-hidden="true">${svg`<path d=${PATHS[name]}></path>`}</svg>`;
