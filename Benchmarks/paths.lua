-- Requests one path after the other, repeatedly: paths.lua <file with a path on each line>
dofile(debug.getinfo(1, "S").source:match("@(.*)/") .. "/result.lua")

function init(args)
    -- Created once, so that sending a request costs little here.
    local requests = {}
    for path in io.lines(args[1]) do requests[#requests + 1] = wrk.format(nil, path) end
    local number = 0
    request = function()
        number = number % #requests + 1
        return requests[number]
    end
end
