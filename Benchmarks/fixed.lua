-- Repeats the same request: fixed.lua <target> [<file with the body>]
dofile(debug.getinfo(1, "S").source:match("@(.*)/") .. "/result.lua")

function init(args)
    if args[2] then
        local file = io.open(args[2], "rb")
        wrk.body = file:read("*a")
        wrk.method = "POST"
        file:close()
    end
    local formatted = wrk.format(nil, args[1])
    request = function() return formatted end
end
